/** Unknown outcomes: each word is sent once, and the page is asked for anew when the list has changed. */

import { on } from './waiting.js';

const forms = [...document.querySelectorAll('.lost-form')];
const number = document.querySelectorAll('.lost').length;

for (const form of forms) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    form.setAttribute('aria-busy', 'true');
  });
}
addEventListener('pageshow', () => forms.forEach((form) => delete form.dataset.sent));
document.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' });
on(({ unknown }) => {
  if (unknown !== number && !forms.some((form) => form.note.value)) location.reload();
});
