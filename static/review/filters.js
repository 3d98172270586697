/** The filters: a choice is applied at once, and what is left empty does not stand in the address. */

for (const form of document.querySelectorAll('form[data-filters]')) {
  form.addEventListener('change', (event) => {
    if (event.target.matches('select, [type="checkbox"]')) form.requestSubmit();
  });
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) {
      if (!value || (name === 'known' && value === 'no')) formData.delete(name);
    }
  });
}
