import type { PageProps } from '../routes.tsx';

export const Home = (_: PageProps) => <main class="page">Home</main>;
