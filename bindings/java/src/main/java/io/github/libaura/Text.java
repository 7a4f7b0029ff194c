package io.github.libaura;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Texts on their way in: half a surrogate pair becomes U+FFFD in words and is refused in identifiers. */
final class Text {
  private static final char REPLACEMENT = '\uFFFD';

  private Text() {}

  /** Words; null is absent. */
  static byte[] words(String text) {
    return text == null ? null : wellFormed(text).getBytes(StandardCharsets.UTF_8);
  }

  /** An identifier; null is absent. */
  static byte[] id(String name, String text) {
    if (text == null) {
      return null;
    }
    try {
      ByteBuffer bytes =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(text));
      byte[] copied = new byte[bytes.remaining()];
      bytes.get(copied);
      return copied;
    } catch (CharacterCodingException error) {
      throw AuraException.invalid(name, "holds an unpaired surrogate");
    }
  }

  /** The same text with U+FFFD in place of each unpaired surrogate. */
  static String wellFormed(String text) {
    StringBuilder mended = null;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (!Character.isSurrogate(unit)) {
        continue;
      }
      boolean paired =
          Character.isHighSurrogate(unit)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (paired) {
        i++;
        continue;
      }
      if (mended == null) {
        mended = new StringBuilder(text);
      }
      mended.setCharAt(i, REPLACEMENT);
    }
    return mended == null ? text : mended.toString();
  }
}
