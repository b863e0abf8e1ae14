import { errnoOf } from './errors.ts';

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  E2BIG: 'the arguments are too long',
  EACCES: 'permission denied',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'the address is not one of this machine',
  EAGAIN: 'a limit of this machine is reached',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the other side',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists already',
  EFBIG: 'the file is too large',
  EHOSTUNREACH: 'the host is unreachable',
  EINVAL: 'an argument is invalid',
  EIO: 'the disk or the terminal failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENETUNREACH: 'the network is unreachable',
  ENFILE: 'too many open files on this machine',
  ENOENT: 'no such file or folder',
  ENOEXEC: 'it is not a program for this machine',
  ENOMEM: 'out of memory',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  ENOTFOUND: 'the host name is unknown',
  EPERM: 'not permitted',
  EPIPE: 'the other side has closed it',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'there was no answer in time',
  ETXTBSY: 'the program is being written',
  EXDEV: 'it is on another file system',
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
