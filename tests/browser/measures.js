/* What tests ask of a page as drawn: an object of functions. */
({
  /** Nothing is on its way to the server, and nothing from it. */
  atRest() {
    const busy = '.go.is-stop, .flow, .skeleton, .is-draft, .is-sending, .call .spin';
    return ![...document.querySelectorAll(busy)].some((one) => one.checkVisibility());
  },

  /** A gate that has refused or sent nothing yet: it takes no decision until it stood a moment. */
  untouchedGate() {
    const touched = (gate) => gate.hasAttribute('aria-busy') || gate.querySelector('.field-error').textContent;
    return [...document.querySelectorAll('.gate')].some((gate) => !touched(gate));
  },

  /** Everything said and done, as shown; the running clock and the time of a decision left out. */
  transcript() {
    return [...document.querySelectorAll('#transcript .entry')].map((entry) => {
      const copy = entry.cloneNode(true);
      copy.querySelectorAll('.gate-clock, .call-says').forEach((one) => one.remove());
      return copy.textContent.replace(/\s+/g, ' ').trim();
    });
  },

  /** What has the focus, and whether one sees that. */
  focused() {
    const one = document.activeElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one.closest('.composer') ?? one);
    const seen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    return { words: (one.getAttribute('aria-label') || one.textContent).trim(), seen };
  },

  /** What sticks out on the right; what scrolls inside a box of its own does not. */
  tooWide() {
    const ownBox = (one) => getComputedStyle(one).overflowX !== 'visible';
    const inBox = (one) => one && one !== document.body && (ownBox(one) || inBox(one.parentElement));
    const out = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().right > innerWidth + 0.5;
    const wide = [...document.querySelectorAll('main *, header *')].filter((one) => out(one) && !inBox(one.parentElement));
    const page = document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : [];
    return [...page, ...wide.map((one) => one.outerHTML.slice(0, 120))];
  },

  /** Animations and transitions that go on for long enough to be seen. */
  moving() {
    const seen = (one) => one.playState === 'running' && one.effect.getComputedTiming().endTime > 100;
    return document.getAnimations().filter(seen).map((one) => one.animationName ?? one.transitionProperty);
  },

  /** Texts with too little contrast to what is behind them (WCAG AA); over pictures it cannot be told. */
  pale() {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgba = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    const light = (colour) => {
      const [r, g, b] = rgba(colour).map(linear);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (one) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      if (backgroundImage !== 'none') return null;
      if (rgba(backgroundColor)[3] === 255) return backgroundColor;
      return one.parentElement ? behind(one.parentElement) : 'white';
    };
    const speaks = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const visible = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(':disabled, [inert]');
    const contrastOf = (one, ground) => {
      const [dim, bright] = [light(getComputedStyle(one).color), light(ground)].sort((a, b) => a - b);
      return (bright + 0.05) / (dim + 0.05);
    };
    const needed = ({ fontSize, fontWeight }) => {
      const size = parseFloat(fontSize);
      return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    };
    const texts = [...document.querySelectorAll('body *:not(svg *, option, script, style, noscript)')];
    return texts.filter((one) => speaks(one) && visible(one)).flatMap((one) => {
      const ground = behind(one);
      const contrast = ground ? contrastOf(one, ground) : Infinity;
      const words = `${contrast.toFixed(2)} ${one.className}: ${one.textContent.trim().slice(0, 40)}`;
      return contrast < needed(getComputedStyle(one)) ? [words] : [];
    });
  },
})
