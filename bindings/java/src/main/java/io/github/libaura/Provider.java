package io.github.libaura;

/** The form of what is sent to a model. */
public enum Provider {
  /** Aura's own form, near to what all share. */
  GENERIC,
  /** OpenAI chat completions. */
  OPENAI,
  /** The OpenAI Responses API. */
  OPENAI_RESPONSES,
  /** The Anthropic Messages API. */
  ANTHROPIC,
  /** The Gemini API. */
  GEMINI
}
