import type { PageProps } from '../routes.tsx';

export const Wall = (_: PageProps) => <main class="page">Wall</main>;
