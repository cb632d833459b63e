// main.tsx - starts the pages of the contest site.
import './site.css';
import { render } from 'preact';
import { applySettings } from '../settings.ts';
import { followLinks } from './go.ts';
import { Site } from './Site.tsx';

applySettings();
followLinks();
const place = document.getElementById('site') ?? document.body.appendChild(document.createElement('div'));
place.id = 'site';
render(<Site />, place);
