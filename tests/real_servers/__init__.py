"""The clients against real proxies: nginx, HAProxy and squid, reloaded and killed while calls run."""
