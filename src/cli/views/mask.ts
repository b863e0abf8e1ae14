/** Events and reports are masked in the same way here and in the daemon. */
export { masked, maskedValue } from '../../api/mask.ts';
