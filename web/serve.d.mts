import type { Server } from 'node:http';

export function serve(port: number, docs?: unknown[], dist?: string): Promise<Server>;
export function viewOf(doc: unknown, view: string): unknown;
export const madeIds: string[];
