import { test } from 'vitest';
import { expectTrue } from '../pages/told.ts';

// A user without root and with an empty home installs the package, and types what the tutorial says.

test('every command of the tutorial prints what it shows', { timeout: 180_000 }, () => expectTrue('docs/tutorial.md'));
