import { html, render } from 'lit-html';
export const title = 'Ask';
export function mount(element) { render(html`<p></p>`, element); }
export function unmount() {}
