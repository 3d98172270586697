/** One picture on its way up. `fetch` tells nothing of how far a body has gone, so this is an XMLHttpRequest. */

import { ApiError, cookie } from './api.js';

/** Send a file; `progress(share)` is told from 0 to 1. Returns `{answer, stop}`: a promise of the upload, and how to give up. */
export function send(url, file, progress) {
  const request = new XMLHttpRequest();
  const answer = new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => {
      const told = read(request.responseText);
      if (request.status === 201 && told) resolve(told);
      else reject(new ApiError(request.status, told));
    };
    request.onerror = request.ontimeout = request.onabort = () => reject(new ApiError(0, null));
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-CSRFToken', cookie('csrftoken'));
    const form = new FormData();
    form.append('file', file, file.name || 'picture');
    request.send(form);
  });
  return { answer, stop: () => request.abort() };
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
