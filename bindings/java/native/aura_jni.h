/* What the files of the shim share: arguments copied out of Java, and results and errors on their way back. */
#ifndef AURA_JNI_H
#define AURA_JNI_H

#include <jni.h>
#include <stdint.h>

#include "aura.h"

enum { TEXTS = 12, NUMBERS = 4 };

#define NATIVE(type, name, ...) \
  JNIEXPORT type JNICALL Java_io_github_libaura_Native_##name(JNIEnv *env, jclass owner, ##__VA_ARGS__)

typedef struct text {
  char *ptr;
  size_t len;
} text;

/* The arguments of a call. All is copied, so that no array is held while a call may wait. */
typedef struct arguments {
  text who[4];
  text texts[TEXTS];
  uint64_t numbers[NUMBERS];
  aura_principal principal;
  const aura_principal *asked;
} arguments;

/* 0 when an exception is pending; nothing has to be freed then. */
int arguments_load(JNIEnv *env, jobjectArray who, jobjectArray texts, jlongArray numbers, arguments *out);
void arguments_free(arguments *held);
aura_str lent(const text *held);
int text_copy(JNIEnv *env, jbyteArray array, text *out);

/* Bytes for Java; NULL with an exception pending when there is no memory for them. */
jbyteArray bytes_of(JNIEnv *env, aura_str given);
/* The bytes of a buffer, which is freed. */
jbyteArray bytes_of_buffer(JNIEnv *env, aura_buffer *buffer);
/* Throws the exception for an error, which is freed. */
void raise(JNIEnv *env, aura_status status, aura_error *error);

/* An object of the library by the number that Java holds it by. */
#define HANDLE(type, number) ((type *)(intptr_t)(number))
#define NUMBER(pointer) ((jlong)(intptr_t)(pointer))

#endif
