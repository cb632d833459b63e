import type { PageProps } from '../routes.tsx';

export const Open = (_: PageProps) => <main class="page">Open</main>;
