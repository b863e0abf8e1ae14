// A boot is identified by the kernel's boot id, the pid namespace and the start time of its first process, separated by
// slashes. A container that is restarted has another namespace and first process under the same kernel.

/** Is this the same start of the machine or container? A part that either side does not know is not compared. */
export function isSameBoot(one: string, other: string): boolean {
  const theirs = other.split('/');
  return one.split('/').every((part, i) => part === '' || (theirs[i] ?? '') === '' || part === theirs[i]);
}
