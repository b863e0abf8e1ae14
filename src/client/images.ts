/** The input with the paths of its images made absolute: the daemon has another folder. */
export function withImages<T extends { readonly images?: readonly string[] | undefined }>(
  input: T,
  cwd: string | undefined,
): T {
  const { images } = input;
  if (images === undefined || cwd === undefined) return input;
  return { ...input, images: images.map((path) => (path.startsWith('/') ? path : `${cwd}/${path}`)) };
}
