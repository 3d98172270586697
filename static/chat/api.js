/** The HTTP API, for what is not live: the list of conversations, renaming, deleting, exporting. */

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem?.detail || `HTTP ${status}`);
    this.status = status;
    this.code = problem?.code ?? '';
    this.detail = problem?.detail ?? '';
  }
}

/** `fetch`, whose own error for a lost connection says nothing a person could read. */
async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    throw error.name === 'AbortError' ? error : new ApiError(0, { code: 'offline' });
  }
}

export const cookie = (name) => decodeURIComponent(document.cookie.split('; ').find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? '');

export class Api {
  constructor(tenant) {
    this.root = `/api/v1/t/${encodeURIComponent(tenant)}`;
  }

  conversations({ cursor, search, signal } = {}) {
    const query = new URLSearchParams(Object.entries({ cursor, q: search }).filter(([, value]) => value));
    return this.ask('GET', `/conversations?${query}`, { signal });
  }

  rename(id, title) {
    return this.ask('PATCH', `/conversations/${id}`, { body: { title } });
  }

  remove(id) {
    return this.ask('DELETE', `/conversations/${id}`);
  }

  conversation(id) {
    return this.ask('GET', `/conversations/${id}`);
  }

  setAnswers(id, answers) {
    return this.ask('PATCH', `/conversations/${id}`, { body: { answers } });
  }

  // People

  people(id) {
    return this.ask('GET', `/conversations/${id}/people`);
  }

  candidates(id, text) {
    return this.ask('GET', `/conversations/${id}/people/candidates?${new URLSearchParams({ q: text })}`);
  }

  removePerson(id, person) {
    return this.ask('POST', `/conversations/${id}/people/remove`, { body: { person } });
  }

  handOver(id, person) {
    return this.ask('POST', `/conversations/${id}/people/owner`, { body: { person } });
  }

  leave(id) {
    return this.ask('POST', `/conversations/${id}/leave`);
  }

  invite(id, person) {
    return this.ask('POST', `/conversations/${id}/invitations`, { body: { person } });
  }

  invitations() {
    return this.ask('GET', '/invitations');
  }

  answerInvitation(id, how) {
    return this.ask('POST', `/invitations/${id}/${how}`);
  }

  withdrawInvitation(id) {
    return this.ask('DELETE', `/invitations/${id}`);
  }

  /** What it takes to change the arguments of a held call: `{digest, schema, arguments, templates}`. */
  confirmationForm(id) {
    return this.ask('GET', `/confirmations/${id}/form`);
  }

  /** Where the whole conversation is had as one document. */
  exportUrl(id, form = 'json') {
    return `${this.root}/conversations/${id}/export?form=${form}`;
  }

  async ask(method, path, { body, signal } = {}) {
    const headers = { Accept: 'application/json' };
    if (body) headers['Content-Type'] = 'application/json';
    if (method !== 'GET') headers['X-CSRFToken'] = cookie('csrftoken');
    const answer = await reach(this.root + path, { method, headers, body: body && JSON.stringify(body), signal, credentials: 'same-origin' });
    const data = answer.status === 204 ? null : await answer.json().catch(() => null);
    if (!answer.ok) throw new ApiError(answer.status, data);
    return data;
  }
}
