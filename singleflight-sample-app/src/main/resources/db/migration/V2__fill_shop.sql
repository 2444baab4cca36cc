-- Made from cross joins of digits, so that one script fills every database with the same rows.
create table digits (n int primary key);
insert into digits (n) values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);

insert into users (id, name)
select 1 + a.n + 10 * b.n + 100 * c.n, f.name || ' ' || s.name
from digits a
cross join digits b
cross join digits c
join (values (0, 'Ada'), (1, 'Alan'), (2, 'Barbara'), (3, 'Dennis'), (4, 'Edsger'),
             (5, 'Frances'), (6, 'Grace'), (7, 'Ken'), (8, 'Margaret'), (9, 'Niklaus')) as f (n, name) on f.n = a.n
join (values (0, 'Abbott'), (1, 'Brown'), (2, 'Clarke'), (3, 'Dixon'), (4, 'Evans'),
             (5, 'Foster'), (6, 'Grant'), (7, 'Hughes'), (8, 'Irving'), (9, 'Jones')) as s (n, name) on s.n = b.n;

insert into products (id, name, category, price)
select 1 + a.n + 10 * b.n, m.name || ' ' || k.name, k.category, 5 + mod(37 * (a.n + 10 * b.n), 200) + 0.95
from digits a
cross join digits b
join (values (0, 'Oak'), (1, 'Steel'), (2, 'Linen'), (3, 'Glass'), (4, 'Copper'),
             (5, 'Walnut'), (6, 'Wool'), (7, 'Slate'), (8, 'Cork'), (9, 'Brass')) as m (n, name) on m.n = a.n
join (values (0, 'lamp', 'light'), (1, 'candlestick', 'light'), (2, 'chair', 'furniture'), (3, 'table', 'furniture'),
             (4, 'shelf', 'furniture'), (5, 'bowl', 'kitchen'), (6, 'tray', 'kitchen'), (7, 'jug', 'kitchen'),
             (8, 'clock', 'office'), (9, 'desk set', 'office')) as k (n, name, category) on k.n = b.n;

-- 100,000 purchases, spread unevenly over users and products.
insert into purchases (id, user_id, product_id, quantity)
select p.id, 1 + mod(p.id * 7919 + mod(p.id, 13) * mod(p.id, 17) * 31, 1000),
       1 + mod(p.id * 8867 + mod(p.id, 11) * mod(p.id, 19), 100), 1 + mod(p.id, 3)
from (select a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n as id
      from digits a cross join digits b cross join digits c cross join digits d cross join digits e) p;

drop table digits;

-- Last, because checking them row by row takes longer.
alter table purchases add foreign key (user_id) references users (id);
alter table purchases add foreign key (product_id) references products (id);
