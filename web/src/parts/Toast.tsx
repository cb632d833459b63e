// Toast.tsx - a short line at the bottom that goes away by itself: "Link copied", an error.
import { signal } from '@preact/signals';

interface Line {
  id: number;
  text: string;
  bad: boolean;
}

const lines = signal<Line[]>([]);
let lastId = 0;

export function toast(text: string, bad = false): void {
  const line = { id: ++lastId, text, bad };
  lines.value = [...lines.value.slice(-2), line];
  setTimeout(() => {
    lines.value = lines.value.filter((each) => each.id !== line.id);
  }, bad ? 8000 : 2500);
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {lines.value.map((line) => <div key={line.id} class={line.bad ? 'toast bad' : 'toast'}>{line.text}</div>)}
  </div>
);
