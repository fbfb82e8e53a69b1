import { html, render } from 'lit-html';
export const title = 'Flow';
export function mount(element) { render(html`<p></p>`, element); }
export function unmount() {}
