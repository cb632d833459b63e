// GamePage.tsx - one game: the table, the log, its course.
import { TopBar } from '../parts/TopBar.tsx';
import type { PageProps } from '../routes.tsx';

export const GamePage = ({ id }: PageProps) => (
  <div class="screen">
    <TopBar><h1 class="title">{id}</h1><span class="space" /></TopBar>
    <main class="page" />
  </div>
);
