export declare class RealSite {
  readonly folder: string;
  readonly origin: string;
  readonly said: string;
  constructor(program: string, tree: string);
  start(): Promise<void>;
  asAdmin<T>(method: string, path: string, body?: unknown): Promise<T>;
  makeContest(text: string): Promise<string>;
  agentZip(name: string, words: string): string;
  addSheets(contest: string, login: string, log: string): void;
  stop(): Promise<void>;
}
export declare const talkFile: (name: string) => string;
export declare const contestFile: (name: string, english: string, japanese: string) => string;
