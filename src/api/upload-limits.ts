/** Limits of the files that are put into sessions. Callers need them too, to refuse early. */
export const UPLOAD_LIMITS = {
  /** One file: as large as an image may be. */
  fileBytesMax: 20 * 1024 * 1024,
  /** One piece of it: a third more as base64, it fits into one request. */
  pieceBytesMax: 4 * 1024 * 1024,
  /** All files of one session. */
  sessionBytesMax: 500 * 1024 * 1024,
} as const;
