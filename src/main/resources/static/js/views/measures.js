import { html, render } from 'lit-html';
export const title = 'Measures';
export function mount(element) { render(html`<p></p>`, element); }
export function unmount() {}
