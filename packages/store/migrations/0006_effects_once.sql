-- What one instance has put into the outbox for a delivery no other instance puts there again.
create index effect_delivery on effect (delivery_id);
