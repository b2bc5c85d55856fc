/* How much is unread, looked up once a minute while the page is seen. Without it, each page says what it was when it was made. */
(() => {
	'use strict';
	const MINUTE_MS = 60000, LOOK_MS = 5000;
	const link = document.querySelector('.account a[href="/account/notifications"]');
	let asked = Date.now();

	if (!link) return;
	const look = async () => {
		if (document.hidden || Date.now() - asked < MINUTE_MS) return;
		asked = Date.now();
		try {
			const { unread } = await (await fetch('/account/notifications/count')).json();
			link.textContent = unread > 0 ? `Notifications (${unread > 99 ? '99+' : unread})` : 'Notifications';
		} catch {
			/* Signed out, or not reachable: what stands there stays. */
		}
	};
	setInterval(look, LOOK_MS);
	document.addEventListener('visibilitychange', look);
})();
