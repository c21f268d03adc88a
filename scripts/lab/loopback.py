"""An HTTP server on loopback for a simulated policy or a scripted judge."""

from __future__ import annotations

import sys
from http.server import ThreadingHTTPServer


class LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024
    """Connections that wait to be accepted; the default of 5 resets some of a burst."""

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news: the evaluation was ended, or its time was over."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)
