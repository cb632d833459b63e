import type { PageProps } from '../routes.tsx';

export const RoomPage = (_: PageProps) => <main class="page">RoomPage</main>;
