/** Loads the styles of the views that are not in the first one, once, and passes on what is loaded with them. */
export async function loadStyle<M>(module: Promise<M>): Promise<M> {
  styled ??= added();
  await styled;
  return module;
}

let styled: Promise<void> | null = null;

function added(): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = document.querySelector<HTMLMetaElement>('meta[name=record-style]')?.content ?? '';
  return new Promise((resolve) => {
    // Without its styles a view can still be read.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
