import type { PageProps } from '../routes.tsx';

export const Search = (_: PageProps) => <main class="page">Search</main>;
