// Form.tsx - a form that loses nothing: what is typed is kept until it was taken, and what the server
// says against a field stands at the field.
import { useSignal, type Signal } from '@preact/signals';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { shown } from '../parts/shown.ts';
import { toast } from '../parts/Toast.tsx';
import { ApiError, asTrouble, fieldOf } from './ask.ts';
import { draftOf, forgetDraft, keepDraft } from './drafts.ts';
import { t } from './words.ts';

export type Values = Record<string, string>;

interface Inside {
  values: Signal<Values>;
  trouble: Signal<ApiError | null>;
  names: Set<string>; // of the fields that are drawn
  id: string;
  set(name: string, value: string, secret: boolean): void;
}

const Here = createContext<Inside | null>(null);

function useForm(): Inside {
  const inside = useContext(Here);
  if (!inside) throw new Error('a field stands outside a form');
  return inside;
}

interface FormProps {
  /** What the server is told. A text that it gives back is shown for a moment. */
  onSend: (values: Values) => Promise<string | void>;
  button: string;
  children?: ComponentChildren;
  draft?: string;
  first?: Values;
  danger?: boolean;
  quiet?: boolean; // the button is not the strongest thing here
  after?: ComponentChildren; // beside the button
  label?: string;
  keepAfter?: boolean; // what is typed stays
}

export function Form({ onSend, button, children, draft, first = {}, danger, quiet, after, label, keepAfter }: FormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const values = useSignal<Values>({ ...first, ...(draft ? draftOf(draft) : {}) });
  const trouble = useSignal<ApiError | null>(null);
  const busy = useSignal(false);
  const hidden = useRef(new Set<string>()).current;
  const names = useRef(new Set<string>()).current;
  const keepTyped = (): void => {
    if (!draft) return;
    const typed = Object.entries(values.value).filter(([name, text]) => !hidden.has(name) && text !== (first[name] ?? ''));
    keepDraft(draft, Object.fromEntries(typed));
  };
  const inside: Inside = {
    values, trouble, names, id,
    set: (name, value, secret) => {
      if (secret) hidden.add(name);
      values.value = { ...values.value, [name]: value };
      keepTyped();
    },
  };
  const send = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    trouble.value = null;
    try {
      const text = await onSend(values.value);
      if (draft) forgetDraft(draft);
      if (!keepAfter) values.value = { ...first };
      if (text) toast(text);
    } catch (error) {
      trouble.value = asTrouble(error);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true],.form-trouble')?.focus());
    } finally {
      busy.value = false;
    }
  };
  const at = trouble.value ? fieldOf(trouble.value) : '';
  return (
    <Here.Provider value={inside}>
      <form class="form" ref={form} noValidate={false} aria-label={label} onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}>
        {trouble.value && (at === '' || !names.has(at)) && <p class="form-trouble" role="alert" tabIndex={-1}>{shown(trouble.value.message)}</p>}
        {children}
        <p class="acts middle">
          <button type="submit" class={danger ? 'button danger' : quiet ? 'button' : 'button strong'} aria-disabled={busy.value}>{busy.value ? t('sending') : button}</button>
          {after}
        </p>
      </form>
    </Here.Provider>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  type?: 'text' | 'password' | 'email' | 'number' | 'url' | 'datetime-local';
  required?: boolean;
  autocomplete?: string;
  maxLength?: number;
  minLength?: number;
  min?: number;
  max?: number;
  pattern?: string;
  rows?: number; // several lines
  mono?: boolean;
  options?: readonly (readonly [string, string])[]; // value, word: a choice
  placeholder?: string;
  wide?: boolean;
}

export function Field(props: FieldProps) {
  const { name, label, hint, type = 'text', required, rows, options, mono, wide } = props;
  const { values, trouble, names, id, set } = useForm();
  useEffect(() => {
    names.add(name);
    return () => void names.delete(name);
  }, [name]);
  names.add(name);
  const wrong = trouble.value && fieldOf(trouble.value) === name ? trouble.value.message : '';
  const here = `${id}-${name}`;
  const value = values.value[name] ?? '';
  const told = [hint ? `${here}-hint` : '', wrong ? `${here}-wrong` : ''].filter(Boolean).join(' ');
  const common = {
    id: here, name, required: required === true, 'aria-invalid': wrong ? ('true' as const) : ('false' as const), ...(told ? { 'aria-describedby': told } : {}),
    onInput: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value, type === 'password'),
  };
  return (
    <div class={rows || wide ? 'labelled whole' : 'labelled'}>
      <label for={here}>{label}{!required && !options && <span class="optional"> {t('optional')}</span>}</label>
      {options
        ? <select class="field" {...common} value={value}>{options.map(([each, word]) => <option key={each} value={each}>{word}</option>)}</select>
        : rows
          ? <textarea class={mono ? 'field area mono' : 'field area'} rows={rows} {...common} value={value} maxLength={props.maxLength} spellcheck={!mono} />
          : <input class="field" type={type as 'text'} {...common} value={value} maxLength={props.maxLength} minLength={props.minLength} min={props.min} max={props.max} pattern={props.pattern} placeholder={props.placeholder} autocomplete={props.autocomplete ?? 'off'} spellcheck={false} autocapitalize="none" />}
      {hint && <span class="hint" id={`${here}-hint`}>{hint}</span>}
      {wrong && <span class="wrong" id={`${here}-wrong`}>{shown(wrong)}</span>}
    </div>
  );
}

export function Tick({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const { values, set, names, id } = useForm();
  names.add(name);
  return (
    <label class="switch whole" for={`${id}-${name}`}>
      <input type="checkbox" id={`${id}-${name}`} name={name} checked={values.value[name] === 'yes'} onChange={(event) => set(name, event.currentTarget.checked ? 'yes' : '', false)} />
      <span>{label}{hint && <span class="hint"> {hint}</span>}</span>
    </label>
  );
}

/** What the form holds at this moment, for parts that depend on it. */
export const useValue = (name: string): string => useForm().values.value[name] ?? '';

/** A form that is behind its heading until one opens it. */
export const Fold = ({ title, children, danger, open }: { title: ComponentChildren; children: ComponentChildren; danger?: boolean; open?: boolean }) => (
  <details class={danger ? 'unfold danger' : 'unfold'} open={open === true}>
    <summary>{title}</summary>
    <div class="unfolded">{children}</div>
  </details>
);
