// A boot has a name: the kernel's own id of it, the pid namespace, and the start of the first process in it, with
// slashes between them. A container that is started anew has another namespace and first process, and the same kernel.

/** Is this the same start of the machine, or of the container? What one of the two does not know tells nothing. */
export function isSameBoot(one: string, other: string): boolean {
  const theirs = other.split('/');
  return one.split('/').every((part, i) => part === '' || (theirs[i] ?? '') === '' || part === theirs[i]);
}
