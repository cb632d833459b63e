import type { PageProps } from '../routes.tsx';

export const Mind = (_: PageProps) => <main class="page">Mind</main>;
