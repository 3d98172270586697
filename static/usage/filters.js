/** The filters: a choice is applied at once, and what is left empty does not stand in the address. */

for (const form of document.querySelectorAll('form[data-filters]')) {
  const own = form.querySelector('[data-own]');
  const period = form.elements.period;
  form.addEventListener('change', (event) => {
    own.hidden = period.value !== 'own';
    if (event.target === period && !own.hidden) own.querySelector('input').focus();
    else if (form.checkValidity()) form.requestSubmit();
  });
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) {
      const isDay = name === 'start' || name === 'end';
      if (!value || (isDay && own.hidden)) formData.delete(name);
    }
  });
}
