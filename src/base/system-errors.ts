import { errnoOf } from './errors.ts';

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'a limit of this machine is reached',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists already',
  EIO: 'the disk or the terminal failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many open files on this machine',
  ENOENT: 'no such file or folder',
  ENOEXEC: 'it is not a program for this machine',
  ENOMEM: 'out of memory',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'the program is being written',
};

/** Why a system call failed, for people, with its errno: `permission denied (EACCES)`; else what the error says. */
export function causeText(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === '') return error instanceof Error ? error.message : String(error);
  return errnoText(errno);
}

/** An errno in words. */
export function errnoText(errno: string): string {
  const text = Object.hasOwn(SYSTEM_ERRORS, errno) ? SYSTEM_ERRORS[errno] : 'the system refused';
  return `${text} (${errno})`;
}
