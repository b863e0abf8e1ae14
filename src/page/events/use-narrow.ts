import { useEffect, useState } from 'preact/hooks';

const NARROW = '(width < 640px)';

/** Is this a narrow screen, such as that of a phone? */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = (): void => setNarrow(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
