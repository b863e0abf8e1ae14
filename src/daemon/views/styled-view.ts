import type { StyledView } from '../../api/screen-shape.ts';
import type { StyledRow, StyledScreen } from '../../terminal/styled.ts';

/** A styled screen as the API returns it. */
export function styledView({ styled, above, ...facts }: StyledScreen): StyledView {
  const { history, cursorHidden, applicationCursor, applicationKeypad } = facts;
  const rows = (all: readonly StyledRow[]): StyledView['rows'] => all.map((row) => [...row]);
  return { rows: rows(styled), above: rows(above), history, cursorHidden, applicationCursor, applicationKeypad };
}
