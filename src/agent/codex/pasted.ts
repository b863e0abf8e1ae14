/** A text as a paste into an input box leaves it: without control characters. */
export function asPasted(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
