/** Whether this is `npm run test:deep`, `test:fault` or `test:real`, where everything is tried, and more often. */
export const isCampaign = process.env.OUTLAST_TEST_CAMPAIGN !== undefined;

/** All in a campaign; in every other run each n-th, beginning with the first. */
export function some<T>(all: readonly T[], n: number): readonly T[] {
  return isCampaign ? all : all.filter((_, i) => i % n === 0);
}

/** So many in a campaign, fewer in every other run. */
export function times(few: number, many: number): number {
  return isCampaign ? many : few;
}
