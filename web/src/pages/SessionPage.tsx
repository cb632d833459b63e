import type { PageProps } from '../routes.tsx';

export const SessionPage = (_: PageProps) => <main class="page">SessionPage</main>;
