import { eventually } from './eventually.ts';

/** Presses a key until it has an effect: a dialog that was just drawn may not accept keys yet. */
export async function pressUntil(
  press: () => Promise<unknown>,
  isTaken: () => boolean | Promise<boolean>,
  msMax = 20_000,
): Promise<void> {
  await eventually(
    async () => {
      await press();
      return eventually(isTaken, { msMax: 3_000 }).then(
        () => true,
        () => false,
      );
    },
    { msMax },
  );
}
