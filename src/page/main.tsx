// The page: connects, and draws.
import { render } from 'preact';
import { openLive } from './live/live.ts';

const live = await openLive();
render(<p>{live.state.value.is}</p>, document.body);
