// main.tsx - starts the page.
import './style.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { takeDocumentsInside } from './opened.ts';
import { applySettings } from './settings.ts';

applySettings();
takeDocumentsInside();
const place = document.getElementById('app') ?? document.body.appendChild(document.createElement('div'));
place.id = 'app';
render(<App />, place);
