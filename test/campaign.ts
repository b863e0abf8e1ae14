/** Whether this is `npm run test:fault` or `test:real`, where everything is tried, and more often. */
export const isCampaign = process.env.OUTLAST_TEST_CAMPAIGN !== undefined;

/** So many in a campaign, fewer in every other run. */
export function times(few: number, many: number): number {
  return isCampaign ? many : few;
}
