// Dialog.tsx - a box over the page that has the focus until it is closed.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../words_shared.ts';

export function Dialog({ title, children, onClose, kind = '' }: { title: string; children: ComponentChildren; onClose: () => void; kind?: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="dialog" ref={dialog} onClose={onClose} aria-labelledby="dialog-title"
      onClick={(press) => { if (press.target === dialog.current) dialog.current?.close(); }}>
      <div class={`dialogbody ${kind}`}>
        <h2 id="dialog-title">{title}</h2>
        {children}
        <div class="menufoot"><button type="button" class="button" onClick={() => dialog.current?.close()}>{t('close')}</button></div>
      </div>
    </dialog>
  );
}
