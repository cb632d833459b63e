import type { PageProps } from '../routes.tsx';

export const Operator = (_: PageProps) => <main class="page">Operator</main>;
