/** A text that begins with a slash is a command of Qwen Code in every kind of input. */
export function isCommand(text: string): boolean {
  return /^\s*\//.test(text);
}
