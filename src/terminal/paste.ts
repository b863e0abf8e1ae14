const START = '\x1b[200~';
const END = '\x1b[201~';

/**
 * Turns text into the bytes of a paste: line ends as the Enter key sends them, and no other control characters. Without
 * ESC and its C1 forms no text can end the paste early and continue as if it were typed, however it is nested.
 */
export function pasteBytes(text: string, bracketed: boolean): Uint8Array {
  const safe = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '').replace(/\r\n|\n/g, '\r');
  return Buffer.from(bracketed ? `${START}${safe}${END}` : safe);
}
