// The page: connects, and draws.
import { render } from 'preact';
import { openLive } from './live/live.ts';

const live = await openLive();

const draw = (): void => {
  const { value } = live.state;
  document.documentElement.dataset.connection = value.is;
  render(<p>{value.is}</p>, document.body);
};

live.state.subscribe(draw);
draw();
