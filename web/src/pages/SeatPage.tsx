import type { PageProps } from '../routes.tsx';

export const SeatPage = (_: PageProps) => <main class="page">SeatPage</main>;
