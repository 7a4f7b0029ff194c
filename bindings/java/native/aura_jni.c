/* Arguments, results and errors. */
#include "aura_jni.h"

#include <stdlib.h>
#include <string.h>

static void out_of_memory(JNIEnv *env) {
  jclass type = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
  if (type != NULL) {
    (*env)->ThrowNew(env, type, "in the native part of libaura");
  }
}

aura_str lent(const text *held) {
  aura_str given;
  given.ptr = held->ptr;
  given.len = held->ptr != NULL ? held->len : 0;
  return given;
}

int text_copy(JNIEnv *env, jbyteArray array, text *out) {
  out->ptr = NULL;
  out->len = 0;
  if (array == NULL) {
    return 1;
  }
  jsize length = (*env)->GetArrayLength(env, array);
  out->ptr = malloc((size_t)length + 1);
  if (out->ptr == NULL) {
    out_of_memory(env);
    return 0;
  }
  (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)out->ptr);
  out->len = (size_t)length;
  return !(*env)->ExceptionCheck(env);
}

static int list_copy(JNIEnv *env, jobjectArray list, text *out, jsize most) {
  if (list == NULL) {
    return 1;
  }
  jsize count = (*env)->GetArrayLength(env, list);
  for (jsize i = 0; i < count && i < most; i++) {
    jbyteArray entry = (*env)->GetObjectArrayElement(env, list, i);
    if ((*env)->ExceptionCheck(env)) {
      return 0;
    }
    int copied = text_copy(env, entry, &out[i]);
    if (entry != NULL) {
      (*env)->DeleteLocalRef(env, entry);
    }
    if (!copied) {
      return 0;
    }
  }
  return 1;
}

void arguments_free(arguments *held) {
  for (size_t i = 0; i < 4; i++) {
    free(held->who[i].ptr);
  }
  for (size_t i = 0; i < TEXTS; i++) {
    free(held->texts[i].ptr);
  }
}

int arguments_load(JNIEnv *env, jobjectArray who, jobjectArray texts, jlongArray numbers, arguments *out) {
  memset(out, 0, sizeof *out);
  int whole = list_copy(env, who, out->who, 4) && list_copy(env, texts, out->texts, TEXTS);
  if (whole && numbers != NULL) {
    jlong given[NUMBERS] = {0};
    jsize count = (*env)->GetArrayLength(env, numbers);
    (*env)->GetLongArrayRegion(env, numbers, 0, count < NUMBERS ? count : NUMBERS, given);
    whole = !(*env)->ExceptionCheck(env);
    for (size_t i = 0; i < NUMBERS; i++) {
      out->numbers[i] = (uint64_t)given[i];
    }
  }
  if (!whole) {
    arguments_free(out);
    return 0;
  }
  if (who != NULL) {
    aura_principal_init(&out->principal, sizeof out->principal);
    out->principal.tenant = lent(&out->who[0]);
    out->principal.agent = lent(&out->who[1]);
    out->principal.user = lent(&out->who[2]);
    out->principal.labels_json = lent(&out->who[3]);
    out->asked = &out->principal;
  }
  return 1;
}

jbyteArray bytes_of(JNIEnv *env, aura_str given) {
  if (given.ptr == NULL) {
    return NULL;
  }
  size_t length = given.len == SIZE_MAX ? strlen(given.ptr) : given.len;
  if (length > INT32_MAX) {
    out_of_memory(env);
    return NULL;
  }
  jbyteArray made = (*env)->NewByteArray(env, (jsize)length);
  if (made != NULL) {
    (*env)->SetByteArrayRegion(env, made, 0, (jsize)length, (const jbyte *)given.ptr);
  }
  return made;
}

jbyteArray bytes_of_buffer(JNIEnv *env, aura_buffer *buffer) {
  aura_str read = aura_buffer_text(buffer);
  if (read.ptr == NULL) {
    read.ptr = "";
  }
  jbyteArray made = bytes_of(env, read);
  aura_buffer_free(buffer);
  return made;
}

/* The causes, each behind the one it explains. */
static jobjectArray causes_of(JNIEnv *env, const aura_error *error) {
  jclass type = (*env)->FindClass(env, "[B");
  jsize count = 0;
  if (type == NULL) {
    return NULL;
  }
  while (aura_error_cause(error, (size_t)count).ptr != NULL) {
    count++;
  }
  jobjectArray causes = (*env)->NewObjectArray(env, count, type, NULL);
  for (jsize i = 0; causes != NULL && i < count; i++) {
    jbyteArray cause = bytes_of(env, aura_error_cause(error, (size_t)i));
    if (cause == NULL) {
      return NULL;
    }
    (*env)->SetObjectArrayElement(env, causes, i, cause);
    (*env)->DeleteLocalRef(env, cause);
    if ((*env)->ExceptionCheck(env)) {
      return NULL;
    }
  }
  return causes;
}

void raise(JNIEnv *env, aura_status status, aura_error *error) {
  jclass owner = (*env)->FindClass(env, "io/github/libaura/Native");
  jmethodID make = owner == NULL ? NULL
                                 : (*env)->GetStaticMethodID(env, owner, "failure",
                                                             "(I[B[B[B[B[[B)Lio/github/libaura/AuraException;");
  jbyteArray texts[4] = {NULL, NULL, NULL, NULL};
  jobjectArray causes = NULL;
  if (make != NULL) {
    aura_str said[4] = {aura_error_message(error), aura_error_operation(error), aura_error_field(error),
                        aura_error_context(error)};
    for (size_t i = 0; i < 4 && !(*env)->ExceptionCheck(env); i++) {
      texts[i] = bytes_of(env, said[i]);
    }
    if (!(*env)->ExceptionCheck(env)) {
      causes = causes_of(env, error);
    }
  }
  aura_error_free(error);
  if ((*env)->ExceptionCheck(env)) {
    return;
  }
  jobject made = (*env)->CallStaticObjectMethod(env, owner, make, (jint)status, texts[0], texts[1], texts[2],
                                                texts[3], causes);
  if (!(*env)->ExceptionCheck(env) && made != NULL) {
    (*env)->Throw(env, made);
  }
}
